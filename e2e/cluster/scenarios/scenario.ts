import type { Cluster } from '../cluster';
import type { Site } from '@/e2e/cluster/machines';

/** Checks of one scenario, which are reported in one line. */
export class Checks {
  readonly #checks: { readonly ok: boolean; readonly text: string }[] = [];

  add(ok: boolean, text: string): void {
    this.#checks.push({ ok, text });
  }

  get ok(): boolean {
    return this.#checks.length > 0 && this.#checks.every(({ ok }) => ok);
  }

  get text(): string {
    return this.#checks.map(({ ok, text }) => (ok ? text : `NOT ${text}`)).join('; ');
  }
}

export interface Scenario {
  readonly name: string;
  /** Returns the reason why the scenario cannot run on these machines, or null if it can run. */
  skipReason(site: Site): string | null;
  /** Runs the scenario on a cluster whose nodes are healthy. */
  run(cluster: Cluster, checks: Checks): Promise<void>;
}

export const neverSkip = (): null => null;

export const secondsSince = (startedAt: number): number =>
  Math.round((performance.now() - startedAt) / 100) / 10;
