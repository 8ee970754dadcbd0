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

/** What the proxy does with requests: it forwards them, breaks their connections, or holds them. */
type ProxyMode = 'forwarding' | 'rejecting' | 'frozen';

export async function startOutageProxy(): Promise<OutageProxy> {
  let mode: ProxyMode = 'forwarding';
  const sockets = new Set<Socket>();
  const heldRequests: (() => void)[] = [];
  const runOrHold = (forwardRequest: () => void) =>
    mode === 'frozen' ? void heldRequests.push(forwardRequest) : forwardRequest();

  const server = createServer((request, response) => runOrHold(() => forward(request, response)));
  // Browsers use CONNECT for TLS, which the tests do not need.
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const connection of [socket, target]) connection.on('error', () => connection.destroy());
    target.pipe(socket).pipe(target);
  });
  server.on('connection', (socket) => {
    if (mode === 'rejecting') socket.destroy();
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
    if (newMode === 'rejecting') closeSockets();
    if (newMode === 'forwarding') for (const forwardRequest of heldRequests.splice(0)) forwardRequest();
  };
  return {
    proxy: { server: `http://127.0.0.1:${port}` },
    reject: () => setMode('rejecting'),
    freeze: () => setMode('frozen'),
    end: () => setMode('forwarding'),
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
