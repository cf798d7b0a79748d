const { bars } = require('../web/bars.js');

const fine = bars({ mill: 2, bridge: 1 }, 4).join('\n') === 'bridge      ##\nmill        ####';
process.stdout.write(`${fine ? 'ok' : 'not ok'} - the bars\n`);
process.exitCode = fine ? 0 : 1;
