/** Issues of a live stream, by source. */
export class SessionIssues {
  readonly #byWho = new Map<unknown, readonly string[]>();

  get all(): string[] {
    return [...this.#byWho.values()].flat();
  }

  /** @param issues the complete list of this source */
  set(key: unknown, issues: readonly string[]): void {
    this.#byWho.set(key, issues);
  }

  /** @returns whether the source had issues */
  delete(key: unknown): boolean {
    return this.#byWho.delete(key);
  }
}
