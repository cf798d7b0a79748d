/* é */ var total = 0;
if (total == "1") {
  debugger;
}
let unused = "é😀";; var again = unused == total
