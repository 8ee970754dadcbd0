/** Issues of a live stream, by source. */
export class SessionIssues {
  readonly #bySource = new Map<unknown, readonly string[]>();

  get all(): string[] {
    return [...this.#bySource.values()].flat();
  }

  /** Replaces the issues of a source. */
  set(key: unknown, issues: readonly string[]): void {
    this.#bySource.set(key, issues);
  }

  /**
   * Removes the issues of a source.
   * @returns whether the source was known
   */
  delete(key: unknown): boolean {
    return this.#bySource.delete(key);
  }
}
