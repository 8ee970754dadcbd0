import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createClientAddressReader } from './egress/ip-address';
import { createHttpServer } from './http-server';
import { hasHaproxy, startHaproxy } from './testing/haproxy';

const trustedProxies = ['127.0.0.1/32'];

/**
 * Sends a request from a local address.
 * @returns the body of the response
 */
async function requestFrom(port: number, localAddress: string, headers = {}): Promise<string> {
  const outgoing = request({ port, host: '127.0.0.1', localAddress, headers, agent: false }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return text(response);
}

describe.skipIf(!hasHaproxy)('HTTP behind HAProxy (apt-get install haproxy)', () => {
  test.each(['send-proxy', 'send-proxy-v2'] as const)(
    'the client address is the one in the PROXY header of %s, not in X-Forwarded-For',
    async (proxyOption) => {
      const addressOf = createClientAddressReader(trustedProxies);
      const server = createHttpServer((incoming, response) => response.end(addressOf(incoming)), {
        maxConnections: 100,
        requestTimeoutMs: 0,
        trustedProxies,
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      try {
        await using haproxy = await startHaproxy((server.address() as AddressInfo).port, proxyOption);
        const forwardedHeaders = { 'X-Forwarded-For': '203.0.113.5' };
        expect(await requestFrom(haproxy.port, '127.0.0.2')).toBe('127.0.0.2');
        expect(await requestFrom(haproxy.port, '127.0.0.3', forwardedHeaders)).toBe('127.0.0.3');
      } finally {
        server.close();
        server.closeAllConnections();
      }
    },
  );
});
