import type { PublisherLimits } from './publisher-limits';

type Limits = Pick<PublisherLimits, 'connections' | 'connectionsPerAddress'>;

/** One open connection. */
export interface Slot {
  /** It publishes now, so its slot can't be taken. */
  keep(): void;
  /** May be called twice. */
  leave(): void;
}

/** Why there is no slot, with the numbers: all of them are taken by publishers. */
export interface Full {
  readonly full: 'the server' | 'the address';
  readonly open: number;
  readonly limit: number;
}

interface Group {
  open: number;
  /** Connections that do not publish yet, the oldest first, and how to end each. */
  readonly pending: Map<Slot, () => void>;
}

/**
 * Counts open connections in total and of each address group. Where it is full, the oldest connection that does not
 * publish yet makes room: of the same group, or of the group that has most of them. So half-open connections, however
 * many, keep no publisher out.
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

  /** Takes a slot. @param drop ends the connection, because another one gets its slot */
  enter(name: string, drop: () => void): Slot | Full {
    const { connections, connectionsPerAddress } = this.#limits;
    const open = this.#groups.get(name)?.open ?? 0;
    if (open >= connectionsPerAddress && !this.#dropOldest(this.#groups.get(name))) {
      return { full: 'the address', open, limit: connectionsPerAddress };
    }
    if (this.#total >= connections && !this.#dropOldest(this.#fullest())) {
      return { full: 'the server', open: this.#total, limit: connections };
    }
    return this.#slot(name, drop);
  }

  #slot(name: string, drop: () => void): Slot {
    const group = this.#groups.get(name) ?? { open: 0, pending: new Map<Slot, () => void>() };
    this.#groups.set(name, group);
    let isLeft = false;
    const slot: Slot = {
      keep: () => void group.pending.delete(slot),
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        group.pending.delete(slot);
        group.open -= 1;
        this.#total -= 1;
        if (group.open === 0) this.#groups.delete(name);
      },
    };
    group.open += 1;
    this.#total += 1;
    group.pending.set(slot, drop);
    return slot;
  }

  #fullest(): Group | undefined {
    let fullest: Group | undefined;
    for (const group of this.#groups.values()) {
      if (group.pending.size > (fullest?.pending.size ?? 0)) fullest = group;
    }
    return fullest;
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
