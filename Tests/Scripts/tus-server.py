"""A tus server of others' making for the tests: tuspyserver on 127.0.0.1. usage: tus-server.py PORT FOLDER"""

import sys

import uvicorn
from fastapi import FastAPI
from tuspyserver import create_tus_router

port, folder = int(sys.argv[1]), sys.argv[2]
app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=folder, strict_offset_validation=True))
uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
