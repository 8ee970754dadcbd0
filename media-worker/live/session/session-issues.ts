/** What is wrong with a live stream, by who says so. */
export class SessionIssues {
  readonly #byWho = new Map<unknown, readonly string[]>();

  get all(): string[] {
    return [...this.#byWho.values()].flat();
  }

  /** @param issues the complete list of this one */
  set(key: unknown, issues: readonly string[]): void {
    this.#byWho.set(key, issues);
  }

  /** @returns whether it had said anything */
  delete(key: unknown): boolean {
    return this.#byWho.delete(key);
  }
}
