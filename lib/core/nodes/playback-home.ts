/**
 * A load balancer may spread the requests of a viewer over several origins. One of them, the home, counts the playback,
 * and the others report to it. The home is the origin that issued the token of the playback. When the home is gone, all
 * origins choose the same successor without communication.
 */

/** An origin without a heartbeat for this long is gone, with its viewers. Origins send one every 5 s. */
export const ORIGIN_SILENT_MS = 15_000;

const homeLength = 8;

/** The prefix of playbacks that this origin counts: the last random digits of its node ID. */
export const homeOf = (nodeId: string): string => nodeId.slice(-homeLength);

/** The origin that counts a playback. @param origins node IDs of the running origins; undefined without any */
export function countingOrigin(playback: string, origins: readonly string[]): string | undefined {
  return origins.find((nodeId) => playback.startsWith(homeOf(nodeId))) ?? successorOf(playback, origins);
}

/** Rendezvous hashing: a new or gone origin changes only the playbacks that it gets or had. */
function successorOf(playback: string, origins: readonly string[]): string | undefined {
  let [best, most]: [string | undefined, number] = [undefined, -1];
  for (const nodeId of origins) {
    const weight = hash(nodeId + playback);
    if (weight > most || (weight === most && best !== undefined && nodeId > best)) {
      [best, most] = [nodeId, weight];
    }
  }
  return best;
}

/** FNV-1a, 32 bits, with the finalizer of MurmurHash3, so that texts with different ends differ in all bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
