import ipaddr from 'ipaddr.js';

type Value = string | { readonly [name: string]: Value };

/** Index of a node, negative offset of a record (from -1), or null. */
type Branch = number | null;

/** Type numbers of the format. */
const types = { string: 2, uint16: 5, uint32: 6, map: 7, uint64: 9, array: 11 } as const;

/**
 * Control byte of a value: three bits of its type, and five of its size. Types above 7 have a second byte. From 29, the rest
 * of the size has a byte of its own, which suffices for 284 bytes.
 */
function controlBytes(type: number, size: number): Buffer {
  const inByte = Math.min(size, 29);
  const head = type > 7 ? [inByte, type - 7] : [(type << 5) | inByte];
  return Buffer.from(size < 29 ? head : [...head, size - 29]);
}

function encodeText(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([controlBytes(types.string, bytes.length), bytes]);
}

/** An unsigned integer in as few bytes as possible; 0 has none. */
function encodeNumber(type: number, value: number): Buffer {
  const hex =
    value === 0 ? '' : value.toString(16).padStart(Math.ceil(value.toString(16).length / 2) * 2, '0');
  const bytes = Buffer.from(hex, 'hex');
  return Buffer.concat([controlBytes(type, bytes.length), bytes]);
}

function encodeMap(entries: readonly (readonly [string, Buffer])[]): Buffer {
  return Buffer.concat([
    controlBytes(types.map, entries.length),
    ...entries.flatMap(([name, value]) => [encodeText(name), value]),
  ]);
}

function encodeValue(value: Value): Buffer {
  return typeof value === 'string'
    ? encodeText(value)
    : encodeMap(Object.entries(value).map(([name, inner]) => [name, encodeValue(inner)]));
}

/** Bits that lead from the root of the tree to a network. In a tree of IPv6 addresses, IPv4 networks are below ::/96. */
function networkBits(cidr: string, ipVersion: 4 | 6): number[] {
  const [address, length] = ipaddr.parseCIDR(cidr);
  const isIpv4 = address.kind() === 'ipv4';
  const bits = address
    .toByteArray()
    .flatMap((byte) => byte.toString(2).padStart(8, '0').split('').map(Number));
  const network = bits.slice(0, length);
  return isIpv4 && ipVersion === 6 ? [...Array<number>(96).fill(0), ...network] : network;
}

interface MmdbOptions {
  readonly type?: string;
  readonly ipVersion?: 4 | 6;
}

/**
 * Creates the bytes of a file in MaxMind DB format (https://maxmind.github.io/MaxMind-DB/), with 24-bit records.
 * @param networks records by CIDR range; the ranges must not overlap
 */
export function createMmdb(
  networks: Readonly<Record<string, Value>>,
  { type = 'Test-Country', ipVersion = 6 }: MmdbOptions = {},
): Buffer {
  const tree: [Branch, Branch][] = [[null, null]];
  const records: Buffer[] = [];
  let offset = 0;
  for (const [cidr, record] of Object.entries(networks)) {
    const bits = networkBits(cidr, ipVersion);
    let node = 0;
    for (const ipBit of bits.slice(0, -1)) {
      const branches = tree[node] ?? [null, null];
      const nextNode = branches[ipBit] ?? tree.push([null, null]) - 1;
      branches[ipBit] = nextNode;
      node = nextNode;
    }
    const lastBranches = tree[node];
    // A negative branch is a record: -1 minus its offset.
    if (lastBranches) lastBranches[bits.at(-1) ?? 0] = -1 - offset;
    records.push(encodeValue(record));
    offset += records.at(-1)?.length ?? 0;
  }
  const nodes = Buffer.alloc(tree.length * 6);
  const valueOf = (branch: Branch): number => {
    if (branch === null) return tree.length;
    // A record is addressed by its offset in the data section, which begins 16 bytes after the tree.
    return branch < 0 ? tree.length + 16 + (-1 - branch) : branch;
  };
  for (const [index, branches] of tree.entries())
    for (const [side, branch] of branches.entries())
      nodes.writeUIntBE(valueOf(branch), index * 6 + side * 3, 3);
  const metadata = encodeMap([
    ['binary_format_major_version', encodeNumber(types.uint16, 2)],
    ['binary_format_minor_version', encodeNumber(types.uint16, 0)],
    ['build_epoch', encodeNumber(types.uint64, Date.UTC(2026, 0, 1) / 1_000)],
    ['database_type', encodeText(type)],
    ['description', encodeValue({ en: 'For tests' })],
    ['ip_version', encodeNumber(types.uint16, ipVersion)],
    ['languages', Buffer.concat([controlBytes(types.array, 1), encodeText('en')])],
    ['node_count', encodeNumber(types.uint32, tree.length)],
    ['record_size', encodeNumber(types.uint16, 24)],
  ]);
  // The bytes ab, cd and ef, and then the text MaxMind.com.
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
  return Buffer.concat([nodes, Buffer.alloc(16), ...records, marker, metadata]);
}

/** A country record in the form of MaxMind and DB-IP. */
export const countryRecord = (code: string): Value => ({ country: { iso_code: code } });
