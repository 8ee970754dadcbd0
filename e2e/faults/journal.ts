import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A violated guarantee of the service. */
export interface Problem {
  readonly what: string;
  /** Id of the row, file or process. */
  readonly id: string;
  readonly detail: unknown;
}

/** Expected errors of viewers and callers during a fault, with their number. */
export type Incidents = Map<string, number>;

/** The log of a run: readable lines, JSON lines with details, and the list of problems. */
export class Journal {
  readonly problems: Problem[] = [];
  readonly #known = new Set<string>();
  readonly #startedAt = Date.now();
  #incidents: Incidents = new Map();

  constructor(readonly directory: string) {
    mkdirSync(directory, { recursive: true });
  }

  say(line: string): void {
    const seconds = ((Date.now() - this.#startedAt) / 1000).toFixed(1).padStart(7);
    console.log(`${seconds} ${line}`);
    appendFileSync(join(this.directory, 'driver.log'), `${seconds} ${line}\n`);
  }

  /** Appends to `<name>.jsonl` in the folder of the run. */
  record(name: string, entry: object): void {
    appendFileSync(
      join(this.directory, `${name}.jsonl`),
      `${JSON.stringify({ at: Date.now(), ...entry }, asText)}\n`,
    );
  }

  /** Reports a problem. Repeated reports of the same problem are ignored. */
  problem(what: string, id: string, detail: unknown = {}): void {
    const key = `${what} ${id}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.problems.push({ what, id, detail });
    this.record('problems', { what, id, detail });
    this.say(`PROBLEM ${what}: ${id} ${JSON.stringify(detail, asText).slice(0, 600)}`);
  }

  incident(what: string, detail: object = {}): void {
    this.#incidents.set(what, (this.#incidents.get(what) ?? 0) + 1);
    this.record('incidents', { what, ...detail });
  }

  /** Incidents since the last call. */
  takeIncidents(): Incidents {
    const taken = this.#incidents;
    this.#incidents = new Map();
    return taken;
  }
}

const asText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
