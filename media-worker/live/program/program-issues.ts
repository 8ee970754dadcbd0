/** Issues of the input on air, each message once. */
export class ProgramIssues {
  readonly #say: (issues: readonly string[]) => void;
  #issues: readonly string[] = [];

  constructor(say: (issues: readonly string[]) => void) {
    this.#say = say;
  }

  add(message: string): void {
    if (!this.#issues.includes(message)) this.#set([...this.#issues, message]);
  }

  resolve(message: string): void {
    if (this.#issues.includes(message)) this.#set(this.#issues.filter((each) => each !== message));
  }

  clear(): void {
    if (this.#issues.length > 0) this.#set([]);
  }

  #set(issues: readonly string[]): void {
    this.#issues = issues;
    this.#say(issues);
  }
}
