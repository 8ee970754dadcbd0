import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';

export interface RenditionSocketReader {
  onData(chunk: Buffer): void;
  /** Called once when ffmpeg has closed its end, or the socket was closed here. */
  onEnd(): void;
}

let socketCount = 0;

/**
 * A Unix socket that receives one output of ffmpeg. The socket accepts a single connection and then removes its
 * file.
 */
export class RenditionSocket {
  readonly path: string;
  readonly #server: Server;
  readonly #reader: RenditionSocketReader;
  #connection: Socket | null = null;
  #over = false;

  private constructor(path: string, reader: RenditionSocketReader) {
    this.path = path;
    this.#reader = reader;
    this.#server = createServer((connection) => this.#accept(connection));
  }

  /** Opens a socket. Rejects if it cannot be created. */
  static async open(reader: RenditionSocketReader): Promise<RenditionSocket> {
    const socket = new RenditionSocket(join(scratchFolder(), `s${(socketCount += 1)}`), reader);
    await new Promise<void>((resolve, reject) => {
      socket.#server.once('error', reject);
      socket.#server.listen(socket.path, resolve);
    });
    return socket;
  }

  /** Removes the file and closes the connection. May be called twice. */
  close(): void {
    this.#server.close();
    this.#connection?.destroy();
    this.#end();
  }

  #accept(connection: Socket): void {
    if (this.#connection || this.#over) {
      connection.destroy();
      return;
    }
    this.#connection = connection;
    this.#server.close();
    connection.on('data', (chunk) => this.#reader.onData(chunk));
    connection.on('error', () => undefined);
    connection.on('close', () => this.#end());
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#reader.onEnd();
  }
}
