import { connect, createServer, type AddressInfo } from 'node:net';
import type { Scope } from './scope';

/**
 * Number of received bytes after which media has started: more than the handshake (3,073 bytes) and the commands, but fewer
 * than up to the end of the first keyframe.
 */
const FIRST_MEDIA_BYTES = 6_000;

/** A relay that records when media starts. */
export interface PublishTap {
  /** Publish URL of the relay. */
  readonly url: string;
  /** Time of the first media of the publisher, from performance.now(). It is undefined before. */
  readonly firstMediaAt: () => number | undefined;
}

/** Starts a relay in front of an RTMP server. The relay records when media starts. */
export async function startPublishTap(scope: Scope, publishUrl: string): Promise<PublishTap> {
  const { hostname: host, port } = new URL(publishUrl);
  let firstMediaAt: number | undefined;
  const server = createServer({ noDelay: true }, (publisher) => {
    const upstream = connect({ host, port: Number(port), noDelay: true });
    const closeBoth = () => {
      publisher.destroy();
      upstream.destroy();
    };
    for (const socket of [publisher, upstream]) socket.on('error', closeBoth).on('close', closeBoth);
    let receivedBytes = 0;
    publisher.on('data', (chunk) => {
      receivedBytes += chunk.length;
      if (receivedBytes > FIRST_MEDIA_BYTES) firstMediaAt ??= performance.now();
    });
    publisher.pipe(upstream);
    upstream.pipe(publisher);
    scope.defer(closeBoth);
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
