/**
 * A load balancer may distribute the requests of a viewer over several origins. One of them, the home of the playback,
 * counts it, and the others report to the home. The home is the origin that issued the path token of the playback. When the
 * home is gone, all origins choose the same successor without communication.
 */

/** Time without a heartbeat after which an origin and its viewers are gone. Origins send a heartbeat every 5 s. */
export const ORIGIN_SILENT_MS = 15_000;

const HOME_LENGTH = 8;

/** The prefix of the ids of playbacks that an origin counts: the last, random digits of its node id. */
export const homeOf = (nodeId: string): string => nodeId.slice(-HOME_LENGTH);

/**
 * Finds the origin that counts a playback; undefined if no origin runs.
 * @param playback id of the playback, which starts with the prefix of its home
 * @param origins node ids of the running origins
 */
export function findCountingOrigin(playback: string, origins: readonly string[]): string | undefined {
  return origins.find((nodeId) => playback.startsWith(homeOf(nodeId))) ?? successorOf(playback, origins);
}

/** Chooses the successor of a home by rendezvous hashing: an origin that starts or stops changes only its own playbacks. */
function successorOf(playback: string, origins: readonly string[]): string | undefined {
  let [successor, maxWeight]: [string | undefined, number] = [undefined, -1];
  for (const nodeId of origins) {
    const weight = hash(nodeId + playback);
    if (weight > maxWeight || (weight === maxWeight && successor !== undefined && nodeId > successor)) {
      [successor, maxWeight] = [nodeId, weight];
    }
  }
  return successor;
}

/** FNV-1a, 32 bits, with the finalizer of MurmurHash3, so that texts with different ends differ in all bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
