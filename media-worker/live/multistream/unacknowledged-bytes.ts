import { readFile } from 'node:fs/promises';

/** Ports of both ends of a TCP connection of this machine. */
interface Connection {
  readonly localPort: number;
  readonly remotePort: number;
  readonly isIPv6: boolean;
}

const MAX_READING_AGE_MS = 1_000;
const files = { v4: '/proc/net/tcp', v6: '/proc/net/tcp6' } as const;
/** Cached readings of the kernel's table: one reading serves all connections that ask within a second. */
const readings = new Map<string, { readonly readAtMs: number; readonly text: Promise<string> }>();

function readTable(file: string): Promise<string> {
  const reading = readings.get(file);
  const now = performance.now();
  if (reading && now - reading.readAtMs < MAX_READING_AGE_MS) return reading.text;
  const text = readFile(file, 'latin1').catch(() => '');
  readings.set(file, { readAtMs: now, text });
  return text;
}

/**
 * Bytes sent on a connection that the other machine has not acknowledged: `tx_queue` of the kernel's table (Linux,
 * proc_net_tcp). Null if there is no such table, or the connection is gone.
 */
export async function readUnacknowledgedBytes(connection: Connection): Promise<number | null> {
  return readSendQueue(await readTable(connection.isIPv6 ? files.v6 : files.v4), connection);
}

const formatPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/**
 * Reads the send queue of a connection; null if the table does not contain the connection. Exported for its test.
 * @param table text of the kernel's table
 */
export function readSendQueue(
  table: string,
  { localPort, remotePort }: Omit<Connection, 'isIPv6'>,
): number | null {
  const [localPortHex, remotePortHex] = [formatPort(localPort), formatPort(remotePort)];
  const row = new RegExp(
    `: [0-9A-F]+:${localPortHex} [0-9A-F]+:${remotePortHex} [0-9A-F]{2} ([0-9A-F]{8}):`,
  ).exec(table);
  return row ? Number.parseInt(row[1] ?? '', 16) : null;
}
