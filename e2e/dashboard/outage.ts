import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A proxy between one browser and the service. It simulates an outage for this browser only, so other tests continue. */
export interface OutageProxy {
  /** Settings of the proxy for `browser.newContext({ proxy })`. */
  readonly proxy: { readonly server: string };
  /**
   * `reject` breaks all connections. `freeze` accepts connections without a response. `end` ends the outage, and forwards the
   * requests that were received while frozen.
   */
  reject(): void;
  freeze(): void;
  end(): void;
  close(): void;
}

type ProxyMode = 'all' | 'nothing' | 'frozen';

export async function startOutageProxy(): Promise<OutageProxy> {
  let mode: ProxyMode = 'all';
  const sockets = new Set<Socket>();
  const heldRequests: (() => void)[] = [];
  const runOrHold = (go: () => void) => (mode === 'frozen' ? void heldRequests.push(go) : go());

  const server = createServer((request, response) => runOrHold(() => forward(request, response)));
  // Browsers use CONNECT for TLS, which the tests do not need.
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const end of [socket, target]) end.on('error', () => end.destroy());
    target.pipe(socket).pipe(target);
  });
  server.on('connection', (socket) => {
    if (mode === 'nothing') socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const closeSockets = () => {
    for (const socket of sockets) socket.destroy();
  };
  const setMode = (newMode: ProxyMode) => {
    mode = newMode;
    if (newMode === 'nothing') closeSockets();
    if (newMode === 'all') for (const go of heldRequests.splice(0)) go();
  };
  return {
    proxy: { server: `http://127.0.0.1:${port}` },
    reject: () => setMode('nothing'),
    freeze: () => setMode('frozen'),
    end: () => setMode('all'),
    close: () => {
      closeSockets();
      server.close();
    },
  };
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', method, headers } = request;
  const forwardedRequest = send(url, { method, headers, agent: false }, (serverResponse) => {
    response.writeHead(serverResponse.statusCode ?? 502, serverResponse.rawHeaders);
    serverResponse.pipe(response);
  });
  forwardedRequest.on('error', () => response.destroy());
  response.on('close', () => forwardedRequest.destroy());
  request.pipe(forwardedRequest);
}
