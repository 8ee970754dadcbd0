import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A violated guarantee of the service. */
export interface Problem {
  readonly message: string;
  /** Id of the row, file or process. */
  readonly id: string;
  readonly detail: unknown;
}

/** Numbers of errors that viewers and clients may get during a fault, by message. */
export type Incidents = Map<string, number>;

/** The log of a run: text lines, JSON lines with details, and the list of problems. */
export class Journal {
  readonly problems: Problem[] = [];
  readonly #reportedKeys = new Set<string>();
  readonly #startedAt = Date.now();
  #incidents: Incidents = new Map();

  constructor(readonly directory: string) {
    mkdirSync(directory, { recursive: true });
  }

  log(line: string): void {
    const seconds = ((Date.now() - this.#startedAt) / 1000).toFixed(1).padStart(7);
    console.log(`${seconds} ${line}`);
    appendFileSync(join(this.directory, 'driver.log'), `${seconds} ${line}\n`);
  }

  /** Appends to `<name>.jsonl` in the folder of the run. */
  append(name: string, entry: object): void {
    appendFileSync(
      join(this.directory, `${name}.jsonl`),
      `${JSON.stringify({ at: Date.now(), ...entry }, stringifyBigInt)}\n`,
    );
  }

  /** Reports a problem. Repeated reports of the same problem are ignored. */
  reportProblem(message: string, id: string, detail: unknown = {}): void {
    const key = `${message} ${id}`;
    if (this.#reportedKeys.has(key)) return;
    this.#reportedKeys.add(key);
    this.problems.push({ message, id, detail });
    this.append('problems', { message, id, detail });
    this.log(`PROBLEM ${message}: ${id} ${JSON.stringify(detail, stringifyBigInt).slice(0, 600)}`);
  }

  recordIncident(message: string, detail: object = {}): void {
    this.#incidents.set(message, (this.#incidents.get(message) ?? 0) + 1);
    this.append('incidents', { message, ...detail });
  }

  /** Returns the incidents since the last call, and resets them. */
  drainIncidents(): Incidents {
    const incidents = this.#incidents;
    this.#incidents = new Map();
    return incidents;
  }
}

const stringifyBigInt = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
