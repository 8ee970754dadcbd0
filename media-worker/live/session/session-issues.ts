/** Issues of a live stream, by their source: any object or class that stands for it. */
export class SessionIssues {
  readonly #bySource = new Map<unknown, readonly string[]>();

  get all(): string[] {
    return [...this.#bySource.values()].flat();
  }

  /** Replaces the issues of a source. */
  set(source: unknown, issues: readonly string[]): void {
    this.#bySource.set(source, issues);
  }

  /**
   * Removes the issues of a source.
   * @returns whether the source was known
   */
  delete(source: unknown): boolean {
    return this.#bySource.delete(source);
  }
}
