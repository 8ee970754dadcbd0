import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A proxy between one browser and the service. It simulates an outage for this browser only, so other tests continue. */
export interface Outage {
  /** For `browser.newContext({ proxy })`. */
  readonly proxy: { readonly server: string };
  /** `refuse`: connections break. `freeze`: connections are accepted and get no response. `end`: connections work again. */
  refuse(): void;
  freeze(): void;
  end(): void;
  close(): void;
}

type Passing = 'all' | 'nothing' | 'frozen';

export async function startOutage(): Promise<Outage> {
  let passing: Passing = 'all';
  const sockets = new Set<Socket>();
  const frozen: (() => void)[] = [];
  const pass = (go: () => void) => (passing === 'frozen' ? void frozen.push(go) : go());

  const server = createServer((request, response) => pass(() => forward(request, response)));
  // Browsers use CONNECT for TLS, which the tests do not need.
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const each of [socket, target]) each.on('error', () => each.destroy());
    target.pipe(socket).pipe(target);
  });
  server.on('connection', (socket) => {
    if (passing === 'nothing') socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const change = (next: Passing) => {
    passing = next;
    if (next === 'nothing') drop();
    if (next === 'all') for (const go of frozen.splice(0)) go();
  };
  return {
    proxy: { server: `http://127.0.0.1:${port}` },
    refuse: () => change('nothing'),
    freeze: () => change('frozen'),
    end: () => change('all'),
    close: () => {
      drop();
      server.close();
    },
  };
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', method, headers } = request;
  const onward = send(url, { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
