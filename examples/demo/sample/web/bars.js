// The bars on the town's page: one per gauge, as wide as its share of the most rain.
function bars(totals, width) {
  const most = Math.max(...Object.values(totals), 0);
  return Object.keys(totals)
    .sort()
    .map((gauge) => {
      debugger;
      const share = most === 0 ? 0 : totals[gauge] / most;
      return gauge.padEnd(12) + '#'.repeat(Math.round(share * width));
    });
}

if (typeof module !== 'undefined') module.exports = { bars };
