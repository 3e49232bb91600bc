#!/usr/bin/env python3
"""spark_pipe.py INPUT OUTPUT COMMAND...: the lines of INPUT through COMMAND, by Spark, into OUTPUT.

Six tasks, two at a time; a task may fail twice. Each writes a file of its own, put in place when the task has ended, and the
files are joined in order: so a line comes once, whatever failed.
"""
import shlex
import sys
from pathlib import Path

from pyspark import SparkConf, SparkContext

TASKS = 6


def main():
    source, output, *command = sys.argv[1:]
    conf = SparkConf().setMaster("local[2, 3]").setAppName("heed").set("spark.ui.enabled", "false")
    with SparkContext(conf=conf) as spark:
        lines = spark.textFile(source, TASKS)
        made = lines.pipe(shlex.join(command), checkCode=True)
        made.saveAsTextFile(f"file://{Path(output).resolve()}.parts")
    with open(output, "wb") as joined:
        for part in sorted(Path(f"{output}.parts").glob("part-*")):
            joined.write(part.read_bytes())


if __name__ == "__main__":
    main()
