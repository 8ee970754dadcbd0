/** The list of issues of the input on air, without duplicates. */
export class ProgramIssues {
  readonly #onChange: (issues: readonly string[]) => void;
  #issues: readonly string[] = [];

  constructor(onChange: (issues: readonly string[]) => void) {
    this.#onChange = onChange;
  }

  add(message: string): void {
    if (!this.#issues.includes(message)) this.#set([...this.#issues, message]);
  }

  resolve(message: string): void {
    if (this.#issues.includes(message)) this.#set(this.#issues.filter((issue) => issue !== message));
  }

  clear(): void {
    if (this.#issues.length > 0) this.#set([]);
  }

  #set(issues: readonly string[]): void {
    this.#issues = issues;
    this.#onChange(issues);
  }
}
