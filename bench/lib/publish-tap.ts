import { connect, createServer, type AddressInfo } from 'node:net';
import type { Scope } from './scope';

/**
 * Bytes after which media has started: more than handshake (3,073 bytes) and commands, less than the first keyframe.
 */
const firstMediaBytes = 6_000;

export interface PublishTap {
  /** Publish URL of the relay. */
  readonly url: string;
  /** Time of the publisher's first media, from performance.now(). */
  readonly firstMediaAt: () => number | undefined;
}

/** Starts a relay in front of an RTMP server that records when media starts. */
export async function tapPublish(scope: Scope, publishUrl: string): Promise<PublishTap> {
  const { hostname: host, port } = new URL(publishUrl);
  let firstMediaAt: number | undefined;
  const server = createServer({ noDelay: true }, (publisher) => {
    const upstream = connect({ host, port: Number(port), noDelay: true });
    const end = () => {
      publisher.destroy();
      upstream.destroy();
    };
    for (const socket of [publisher, upstream]) socket.on('error', end).on('close', end);
    let receivedBytes = 0;
    publisher.on('data', (chunk) => {
      receivedBytes += chunk.length;
      if (receivedBytes > firstMediaBytes) firstMediaAt ??= performance.now();
    });
    publisher.pipe(upstream);
    upstream.pipe(publisher);
    scope.defer(end);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  scope.defer(() => void server.close());
  const url = new URL(publishUrl);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, firstMediaAt: () => firstMediaAt };
}
