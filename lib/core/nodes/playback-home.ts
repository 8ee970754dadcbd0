/**
 * A viewer whose requests a balancer spreads over several origins is still one viewer: one of them counts the playback, and
 * the others tell it what they served. That one is the home, the origin that issued the token of the playback. When it is
 * gone, all origins choose the same successor without asking each other.
 */

/** An origin that was not announced for this long is gone, with its viewers: it announces itself every 5 s. */
export const ORIGIN_SILENT_MS = 15_000;

const homeLength = 8;

/** What a playback that is counted by this origin begins with: the last of the random digits of its node ID. */
export const homeOf = (nodeId: string): string => nodeId.slice(-homeLength);

/** The origin that counts a playback. @param origins node IDs of those that run; undefined when there is none */
export function countingOrigin(playback: string, origins: readonly string[]): string | undefined {
  return origins.find((nodeId) => playback.startsWith(homeOf(nodeId))) ?? successorOf(playback, origins);
}

/** Rendezvous hashing: an origin that comes or goes changes only the playbacks that it gets or had. */
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

/** FNV-1a, 32 bits, with the last step of MurmurHash3, so that texts that differ at their end differ in all bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
