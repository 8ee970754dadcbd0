import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Source } from './sources';

/** The system's Python, which finds the packages of the system. */
const python = '/usr/bin/python3';
const imports = `
import sys, gi
gi.require_version('Gst', '1.0')
gi.require_version('GstRtspServer', '1.0')
from gi.repository import Gst, GstRtspServer, GLib
`;

export const hasRtspServer = spawnSync(python, ['-c', imports]).status === 0;

/** A camera: a test pattern with a tone at `/cam`, for one user with Digest. */
const script = `${imports}
port, user, password = sys.argv[1:4]
Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address('127.0.0.1')
server.set_service(port)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch('( videotestsrc is-live=true ! video/x-raw,width=320,height=180,framerate=25/1 ! '
  'x264enc tune=zerolatency speed-preset=ultrafast key-int-max=25 ! rtph264pay name=pay0 pt=96 '
  'audiotestsrc is-live=true ! audio/x-raw,rate=48000 ! avenc_aac ! rtpmp4gpay name=pay1 pt=97 )')
factory.set_shared(True)
auth = GstRtspServer.RTSPAuth()
token = GstRtspServer.RTSPToken()
token.set_string('media.factory.role', 'user')
# GST_RTSP_AUTH_DIGEST
auth.set_supported_methods(2)
auth.add_digest(user, password, token)
server.set_auth(auth)
role = 'user, media.factory.access=(boolean)true, media.factory.construct=(boolean)true'
factory.add_role_from_structure(Gst.Structure.from_string(role)[0])
server.get_mount_points().add_factory('/cam', factory)
server.attach(None)
print('ready', flush=True)
GLib.MainLoop().run()
`;

export async function startRtspServer(
  port: number,
  { user, password }: { readonly user: string; readonly password: string },
): Promise<Source> {
  const child = spawn(python, ['-c', script, String(port), user, password], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { process: child, kill, [Symbol.asyncDispose]: kill };
}
