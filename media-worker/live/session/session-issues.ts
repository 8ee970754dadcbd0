/** What is wrong with a live stream, by who says so. */
export class SessionIssues {
  readonly #byWho = new Map<unknown, readonly string[]>();

  get all(): string[] {
    return [...this.#byWho.values()].flat();
  }

  /** @param issues the complete list of this one */
  set(who: unknown, issues: readonly string[]): void {
    this.#byWho.set(who, issues);
  }

  /** @returns whether it had said anything */
  delete(who: unknown): boolean {
    return this.#byWho.delete(who);
  }
}
