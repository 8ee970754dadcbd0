import type { PublisherLimits } from './publisher-limits';

type Limits = Pick<PublisherLimits, 'connections' | 'connectionsPerAddress'>;

/** The slot of one open connection. */
export interface Slot {
  /** Marks the connection as publishing, so that no other connection can take its slot. */
  keep(): void;
  /** Releases the slot. Idempotent. */
  release(): void;
}

/** A rejection, because a limit of open connections is reached. */
export interface Full {
  /** Subject of the log message. */
  readonly fullLimit: 'the server' | 'the address';
  readonly openCount: number;
  readonly limit: number;
}

/** The connections of one address group. */
interface Group {
  openCount: number;
  /** Connections that do not publish yet, oldest first, with a function that closes each. */
  readonly pending: Map<Slot, () => void>;
}

/**
 * Limits open connections in total and per address group. At the limit, the oldest connection that does not publish yet
 * makes room: in the same group, or in the group with most of them. Half-open connections therefore never keep a
 * publisher out.
 */
export class ConnectionLimits {
  readonly #limits: Limits;
  readonly #groups = new Map<string, Group>();
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Number of open connections. */
  get total(): number {
    return this.#total;
  }

  /**
   * Takes a slot for a connection.
   * @param network address group of the client: an IPv4 address or an IPv6 /64
   * @param close closes the connection when another one needs its slot
   */
  takeSlot(network: string, close: () => void): Slot | Full {
    const { connections, connectionsPerAddress } = this.#limits;
    const openCount = this.#groups.get(network)?.openCount ?? 0;
    if (openCount >= connectionsPerAddress && !this.#dropOldest(this.#groups.get(network))) {
      return { fullLimit: 'the address', openCount, limit: connectionsPerAddress };
    }
    if (this.#total >= connections && !this.#dropOldest(this.#groupWithMostPending())) {
      return { fullLimit: 'the server', openCount: this.#total, limit: connections };
    }
    return this.#openSlot(network, close);
  }

  #openSlot(network: string, close: () => void): Slot {
    const group = this.#groups.get(network) ?? { openCount: 0, pending: new Map<Slot, () => void>() };
    this.#groups.set(network, group);
    let hasLeft = false;
    const slot: Slot = {
      keep: () => void group.pending.delete(slot),
      release: () => {
        if (hasLeft) return;
        hasLeft = true;
        group.pending.delete(slot);
        group.openCount -= 1;
        this.#total -= 1;
        if (group.openCount === 0) this.#groups.delete(network);
      },
    };
    group.openCount += 1;
    this.#total += 1;
    group.pending.set(slot, close);
    return slot;
  }

  #groupWithMostPending(): Group | undefined {
    let groupWithMost: Group | undefined;
    for (const group of this.#groups.values()) {
      if (group.pending.size > (groupWithMost?.pending.size ?? 0)) groupWithMost = group;
    }
    return groupWithMost;
  }

  /** Closes the oldest connection of a group that does not publish; false if there is none. */
  #dropOldest(group: Group | undefined): boolean {
    for (const [slot, close] of group?.pending ?? []) {
      slot.release();
      close();
      return true;
    }
    return false;
  }
}
