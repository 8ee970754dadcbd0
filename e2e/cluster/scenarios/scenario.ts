import type { Cluster } from '../cluster';
import type { Site } from '../places';

/** Checks of one scenario, reported in one line. */
export class Checks {
  readonly #all: { readonly ok: boolean; readonly text: string }[] = [];

  add(ok: boolean, text: string): void {
    this.#all.push({ ok, text });
  }

  get ok(): boolean {
    return this.#all.length > 0 && this.#all.every(({ ok }) => ok);
  }

  get text(): string {
    return this.#all.map(({ ok, text }) => (ok ? text : `NOT ${text}`)).join('; ');
  }
}

export interface Scenario {
  readonly name: string;
  /** The reason why the scenario cannot run on these machines; null if it can. */
  skipReason(site: Site): string | null;
  /** Starts with all nodes healthy. */
  run(cluster: Cluster, checks: Checks): Promise<void>;
}

export const always = (): null => null;

export const secondsSince = (begin: number): number => Math.round((performance.now() - begin) / 100) / 10;
