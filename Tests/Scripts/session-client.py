#!/usr/bin/env python3
"""A client of a session, by winch-protocol(7): SOCKET list|watch|stop, SOCKET add URL..., SOCKET pause|resume|... ID..."""

import json
import os
import socket
import sys

MOVING = ("percent", "rate", "finish", "split")


class Session:
    def __init__(self, path):
        self.link = socket.socket(socket.AF_UNIX)
        self.link.connect(path)
        self.lines = self.link.makefile("r", encoding="utf-8")
        self.rows, self.order, self.totals, self.number, self.more = {}, [], {}, None, []
        if json.loads(next(self.lines))["protocol"] != 1:
            sys.exit("the session speaks another version of the protocol")
        self.write({"hello": 1, "client": "session-client.py 1"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.link.close()

    def write(self, line):
        self.link.sendall(json.dumps(line).encode() + b"\n")

    def request(self, action, **fields):
        self.write({"n": 1, "do": action, **fields})
        reply = next(line["reply"] for line in self.incoming() if "reply" in line)
        return sys.exit(reply["error"]) if "error" in reply else reply.get("words", "")

    def incoming(self):
        for line in map(json.loads, self.lines):
            if "update" in line:
                self.apply(line["update"])
            yield line if "closing" not in line else sys.exit("closed: " + line["closing"])

    def apply(self, update):
        if "base" not in update:
            self.rows, self.order = {}, []
        assert update.get("base", self.number) == self.number, "a change of a state that this client does not have"
        self.number = update["number"]
        for id in update.get("removed", []):
            self.rows.pop(id, None)
        self.rows.update({row["id"]: row for row in update.get("rows", [])})
        for motion in update.get("motions", []):
            kept = {key: value for key, value in self.rows[motion["id"]].items() if key not in MOVING}
            self.rows[motion["id"]] = kept | motion
        if "totalsMotion" in update:
            kept = {key: value for key, value in self.totals.items() if key not in MOVING + ("meanRate", "uploads")}
            self.totals = kept | update["totalsMotion"]
        self.totals = update.get("totals", self.totals)
        for first, last in update.get("order", []):
            self.more += range(first, last + 1)
        if "order" in update and not update.get("hasMoreOrder"):
            self.order, self.more = self.more, []

    def show(self):
        for row in (self.rows[id] for id in self.order if id in self.rows):
            print(row["id"], row["state"], row.get("percent", "-"), row["have"], ascii(row["name"]), row.get("reason", ""))
        print(f"{self.totals['finished']} of {self.totals['count']} done, {self.totals['bytesDone']} bytes", flush=True)


def main(path, action, *names):
    session = Session(path)
    if action == "add":
        print(session.request("add", batch="\n".join(names), folder=os.getcwd()))
    else:
        ids = {"ids": [int(name) for name in names]} if names else {}
        print(session.request({"list": "status", "watch": "follow"}.get(action, action), **ids))
    ends = ("finished", "failed", "cancelled")
    if action == "list":
        session.show()
    while action == "watch" and not (session.rows and all(row["state"] in ends for row in session.rows.values())):
        next(session.incoming())
        session.show()


if __name__ == "__main__":
    main(*sys.argv[1:])
