"""Real servers on loopback that take uploads: nginx (PUT), OpenSSH's (SFTP), vsftpd (FTP), tuspyserver (tus).

Each function that is named after a protocol starts a server and returns its process and its port. What arrives is in HOME/got, of
tus in HOME/tus. HOME is also the home of the user who uploads: the key for SFTP is there, and the server's in known_hosts.
"""
import os, shutil, signal, socket, subprocess, sys, time
from pathlib import Path

TUS = Path(__file__).resolve().parents[3] / ".build/tus/bin/python"
NGINX = """{user} worker_processes 1; daemon off; pid {home}/nginx.pid; error_log {home}/error.log;
events {{ worker_connections 512; }}
http {{ access_log off; keepalive_requests 1000000; client_max_body_size 0; client_body_temp_path {home}/body;
server {{ listen 127.0.0.1:{port}; root {home}/got; dav_methods PUT; }} }}
"""
SSHD = """Port {port}
ListenAddress 127.0.0.1
HostKey {home}/host
AuthorizedKeysFile {home}/.ssh/id_rsa.pub
PubkeyAcceptedAlgorithms +ssh-rsa
StrictModes no
UsePAM no
PidFile none
PermitRootLogin yes
MaxStartups 100
Subsystem sftp internal-sftp
"""
VSFTPD = """listen=YES
listen_address=127.0.0.1
listen_port={port}
background=NO
run_as_launching_user=YES
seccomp_sandbox=NO
local_enable=NO
anonymous_enable=YES
no_anon_password=YES
anon_root={home}
write_enable=YES
anon_upload_enable=YES
anon_mkdir_write_enable=YES
anon_other_write_enable=YES
anon_world_readable_only=NO
anon_umask=022
allow_writeable_chroot=YES
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(command, port):
    """Returns when the server takes connections."""
    path = shutil.which(command[0], path=os.environ["PATH"] + ":/usr/sbin")
    if not path: sys.exit(command[0] + " is not installed")
    server = subprocess.Popen([path, *command[1:]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return server, port
        except OSError:
            if server.poll() is not None: sys.exit(command[0] + " does not start")
            time.sleep(0.05)


def stop(servers):
    for server in servers: server.send_signal(signal.SIGTERM)
    for server in servers: server.wait()


def configure(home, name, text, port):
    # Workers of an nginx that root starts are those of another user, who may not write here.
    user = "user root;" if os.getuid() == 0 else ""
    (home / name).write_text(text.format(home=home, port=port, user=user))
    return str(home / name)


def put(home):
    port = free_port()
    (home / "got").mkdir(exist_ok=True)
    return start(["nginx", "-c", configure(home, "nginx.conf", NGINX, port)], port)


def ftp(home):
    port = free_port()
    (home / "got").mkdir(exist_ok=True)
    return start(["vsftpd", configure(home, "vsftpd.conf", VSFTPD, port)], port)


def tus(home):
    port = free_port()
    (home / "tus").mkdir(exist_ok=True)
    return start([str(TUS), str(Path(__file__).resolve().parent / "tus-server.py"), str(port), str(home / "tus")], port)


def sftp(home):
    port = free_port()
    (home / "got").mkdir(exist_ok=True)
    (home / ".ssh").mkdir(0o700)
    for path, kind in (("host", ["ed25519"]), (".ssh/id_rsa", ["rsa", "-b", "2048", "-m", "PEM"])):
        subprocess.run(["ssh-keygen", "-q", "-N", "", "-f", home / path, "-t", *kind], check=True)
    key = (home / "host.pub").read_text().split()
    (home / ".ssh/known_hosts").write_text(f"[127.0.0.1]:{port} {key[0]} {key[1]}\n")
    if os.getuid() == 0: os.makedirs("/run/sshd", exist_ok=True)
    return start(["sshd", "-D", "-f", configure(home, "sshd.conf", SSHD, port)], port)
