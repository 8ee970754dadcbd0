import type { PublisherLimits } from './publisher-limits';

type Limits = Pick<PublisherLimits, 'connections' | 'connectionsPerAddress'>;

/** The slot of one open connection. */
export interface Slot {
  /** Marks the connection as publishing, so that its slot cannot be taken away. */
  keep(): void;
  /** Releases the slot. Idempotent. */
  leave(): void;
}

/** The reason for a rejection: the limit, and the number of publishers that use it up. */
export interface Full {
  readonly full: 'the server' | 'the address';
  readonly open: number;
  readonly limit: number;
}

/** The connections of one address group. */
interface Group {
  open: number;
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

  get total(): number {
    return this.#total;
  }

  /**
   * Takes a slot for a connection.
   * @param drop closes the connection when another one needs its slot
   */
  enter(network: string, drop: () => void): Slot | Full {
    const { connections, connectionsPerAddress } = this.#limits;
    const open = this.#groups.get(network)?.open ?? 0;
    if (open >= connectionsPerAddress && !this.#dropOldest(this.#groups.get(network))) {
      return { full: 'the address', open, limit: connectionsPerAddress };
    }
    if (this.#total >= connections && !this.#dropOldest(this.#groupWithMostPending())) {
      return { full: 'the server', open: this.#total, limit: connections };
    }
    return this.#openSlot(network, drop);
  }

  #openSlot(network: string, drop: () => void): Slot {
    const group = this.#groups.get(network) ?? { open: 0, pending: new Map<Slot, () => void>() };
    this.#groups.set(network, group);
    let hasLeft = false;
    const slot: Slot = {
      keep: () => void group.pending.delete(slot),
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        group.pending.delete(slot);
        group.open -= 1;
        this.#total -= 1;
        if (group.open === 0) this.#groups.delete(network);
      },
    };
    group.open += 1;
    this.#total += 1;
    group.pending.set(slot, drop);
    return slot;
  }

  #groupWithMostPending(): Group | undefined {
    let groupWithMost: Group | undefined;
    for (const group of this.#groups.values()) {
      if (group.pending.size > (groupWithMost?.pending.size ?? 0)) groupWithMost = group;
    }
    return groupWithMost;
  }

  #dropOldest(group: Group | undefined): boolean {
    for (const [slot, drop] of group?.pending ?? []) {
      slot.leave();
      drop();
      return true;
    }
    return false;
  }
}
