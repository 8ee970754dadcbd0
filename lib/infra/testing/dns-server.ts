import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { LookupAddress } from 'node:dns';

export interface DnsServer {
  /** Resolves a name with this server, as a system resolver does. */
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** Number of answered queries. */
  readonly queryCount: () => number;
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;

/**
 * Starts a name server on loopback whose answers can change, as an attacker's do.
 * @param addressFor returns the IPv4 address for the answer to a query; gets the index of the query
 */
export async function startDnsServer(addressFor: (queryIndex: number) => string): Promise<DnsServer> {
  const socket = createSocket('udp4');
  let queryCount = 0;
  socket.on('message', (query, { port, address }) => {
    socket.send(buildResponse(query, addressFor(queryCount++)), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolve: async (hostname) =>
      (await resolver.resolve4(hostname)).map((address) => ({ address, family: 4 })),
    queryCount: () => queryCount,
    async close() {
      resolver.cancel();
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Response with the question and one A record with a TTL of 0. */
function buildResponse(query: Buffer, address: string): Buffer {
  let nameEnd = HEADER_BYTES;
  // The name is a list of labels, each after its length, and ends with the length 0. Type and class follow in four bytes.
  for (let length = query[nameEnd] ?? 0; length > 0; length = query[nameEnd] ?? 0) nameEnd += length + 1;
  const question = query.subarray(HEADER_BYTES, nameEnd + 5);
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2); // response without error
  header.writeUInt16BE(1, 6); // one answer record
  header.fill(0, 8); // no other records
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0); // pointer to the name of the question
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4); // class IN
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return Buffer.concat([header, question, record]);
}
