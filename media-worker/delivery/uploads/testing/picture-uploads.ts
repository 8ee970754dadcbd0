import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { serveUpload } from '@/media-worker/delivery/uploads/serve-uploads';

type Uploads = Parameters<typeof serveUpload>[2];

const rejectCall = () => Promise.reject(new Error('not in this test'));

/** An HTTP server for one kind of upload, and pictures to send to it, for the tests of one file. */
export function setUpPictureUploads(handlers: Partial<Uploads>) {
  const uploads: Uploads = {
    put: rejectCall,
    logo: rejectCall,
    slate: rejectCall,
    poster: rejectCall,
    tus: { handle: rejectCall },
    ...handlers,
  };
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => void serveUpload(request, response, uploads));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Makes a picture with ffmpeg.
   * @param name file name, whose extension is the format
   * @param source filter of ffmpeg: "color=red:size=64x64"
   */
  async function createPicture(name: string, source: string): Promise<Uint8Array<ArrayBuffer>> {
    const path = join(folder, name);
    await promisify(execFile)('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '1', '-y', path],
    ]);
    return new Uint8Array(readFileSync(path));
  }

  /** Sends a body to an upload URL of the service. */
  function put(url: string, body: BodyInit): Promise<Response> {
    const { pathname, search } = new URL(url);
    const { port } = server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { method: 'PUT', body });
  }

  return { createPicture, put };
}
