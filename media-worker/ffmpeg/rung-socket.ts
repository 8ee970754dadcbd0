import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RungSocketReader {
  data(chunk: Buffer): void;
  /** Nothing follows: ffmpeg closed its end, or the socket was closed here. Once. */
  end(): void;
}

let folder: string | null = null;
let sockets = 0;

/** Short, because the path of a Unix socket has some hundred bytes; entered by nobody else. Goes with the process. */
function socketFolder(): string {
  if (folder === null) {
    const made = mkdtempSync(join(tmpdir(), 'headwater-s-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}

/** Where one output of ffmpeg comes in: a Unix socket for a single connection, whose file is gone once that is there. */
export class RungSocket {
  readonly path: string;
  readonly #server: Server;
  readonly #reader: RungSocketReader;
  #connection: Socket | null = null;
  #over = false;

  private constructor(path: string, reader: RungSocketReader) {
    this.path = path;
    this.#reader = reader;
    this.#server = createServer((connection) => this.#accept(connection));
  }

  /** Rejects when the socket cannot be made. */
  static async open(reader: RungSocketReader): Promise<RungSocket> {
    const socket = new RungSocket(join(socketFolder(), String((sockets += 1))), reader);
    await new Promise<void>((resolve, reject) => {
      socket.#server.once('error', reject);
      socket.#server.listen(socket.path, resolve);
    });
    return socket;
  }

  /** May be called twice; the file and the connection are gone afterwards. */
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
    connection.on('data', (chunk) => this.#reader.data(chunk));
    connection.on('error', () => undefined);
    connection.on('close', () => this.#end());
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#reader.end();
  }
}
