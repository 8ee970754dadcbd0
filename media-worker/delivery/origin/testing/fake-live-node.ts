import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A live node as an origin sees it, which records requests and can delay answers. */
export interface FakeLiveNode {
  readonly url: string;
  /** Requested paths, in order. */
  readonly requests: string[];
  answer: (path: string, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startFakeLiveNode(): Promise<FakeLiveNode> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    node.answer(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const node: FakeLiveNode = {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (path, response) => response.end(`body of ${path}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return node;
}
