#!/bin/sh
# archive.sh DIRECTORY KEEP: removes the oldest logs until only KEEP are left. Prints how many it removed.
set -eu

directory=$1
keep=$2

count=`ls "$directory" | wc -l`
removed=0
while [ $(( $count - $removed )) -gt "$keep" ]; do
  oldest=$(ls -t "$directory" | tail -n 1)
  rm $directory/$oldest
  removed=$(( $removed + 1 ))
done
echo "$removed"
