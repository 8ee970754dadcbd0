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
  problem(message: string, id: string, detail: unknown = {}): void {
    const key = `${message} ${id}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.problems.push({ what: message, id, detail });
    this.record('problems', { what: message, id, detail });
    this.say(`PROBLEM ${message}: ${id} ${JSON.stringify(detail, asText).slice(0, 600)}`);
  }

  incident(message: string, detail: object = {}): void {
    this.#incidents.set(message, (this.#incidents.get(message) ?? 0) + 1);
    this.record('incidents', { what: message, ...detail });
  }

  /** Incidents since the last call. */
  drainIncidents(): Incidents {
    const incidents = this.#incidents;
    this.#incidents = new Map();
    return incidents;
  }
}

const asText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
