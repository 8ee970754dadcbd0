import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'undici';

/**
 * An unmodified Firefox, controlled with WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/). Playwright needs its own
 * builds of Firefox, and sends commands that the extended support release does not know.
 */

const OPEN_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 60_000;

/** Preferences that allow autoplay with sound and disable requests of Firefox itself to other hosts. */
const preferences = {
  'media.autoplay.default': 0,
  'media.autoplay.blocking_policy': 0,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

interface PendingCommand {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Firefox {
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #profileFolder: string;
  /** Commands without a response, by their id. */
  readonly #pendingCommands = new Map<number, PendingCommand>();
  #lastCommandId = 0;
  /** Id of the tab, which WebDriver BiDi calls a browsing context. */
  #contextId = '';

  private constructor(process: ChildProcess, socket: WebSocket, profileFolder: string) {
    this.#process = process;
    this.#socket = socket;
    this.#profileFolder = profileFolder;
    socket.addEventListener('message', ({ data }) => this.#handleMessage(String(data)));
    socket.addEventListener('close', () =>
      this.#rejectPendingCommands(new Error('Firefox has closed the connection')),
    );
  }

  /**
   * Starts Firefox with a new profile and opens a tab.
   * @throws Error if Firefox does not start within a minute
   */
  static async open(executablePath: string): Promise<Firefox> {
    const profileFolder = mkdtempSync(join(tmpdir(), 'firefox-'));
    const preferenceLines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(join(profileFolder, 'user.js'), preferenceLines.join('\n'));
    const args = ['--headless', '--no-remote', '--profile', profileFolder, '--remote-debugging-port', '0'];
    const child = spawn(executablePath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      const socket = new WebSocket(`${await readSocketUrl(child)}/session`);
      await waitUntilOpen(socket);
      const firefox = new Firefox(child, socket, profileFolder);
      await firefox.#send('session.new', { capabilities: {} });
      const { context } = (await firefox.#send('browsingContext.create', { type: 'tab' })) as {
        context: string;
      };
      firefox.#contextId = context;
      return firefox;
    } catch (error) {
      child.kill('SIGKILL');
      rmSync(profileFolder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Opens a URL and waits until its document is parsed. */
  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#contextId, url, wait: 'interactive' });
  }

  /**
   * Evaluates an expression in the page.
   * @returns its value after a JSON round trip
   */
  async evaluate<T>(expression: string): Promise<T> {
    const result = (await this.#send('script.evaluate', {
      expression: `JSON.stringify(${expression})`,
      awaitPromise: true,
      userActivation: true,
      target: { context: this.#contextId },
    })) as { type: string; result?: { value?: string }; exceptionDetails?: { text: string } };
    if (result.type !== 'success') throw new Error(result.exceptionDetails?.text ?? 'the script failed');
    return JSON.parse(result.result?.value ?? 'null') as T;
  }

  async setViewport(width: number, height: number): Promise<void> {
    await this.#send('browsingContext.setViewport', {
      context: this.#contextId,
      viewport: { width, height },
    });
  }

  /** Presses and releases a key, for example `m`. */
  async press(key: string): Promise<void> {
    const actions = [
      { type: 'keyDown', value: key },
      { type: 'keyUp', value: key },
    ];
    await this.#send('input.performActions', {
      context: this.#contextId,
      actions: [{ type: 'key', id: 'keyboard', actions }],
    });
  }

  async close(): Promise<void> {
    const child = this.#process;
    const whenExited = new Promise((resolve) => child.once('exit', resolve));
    this.#socket.close();
    child.kill('SIGKILL');
    // A Firefox that has ended already emits no further exit.
    if (child.exitCode === null && child.signalCode === null) await whenExited;
    rmSync(this.#profileFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastCommandId;
    const result = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pendingCommands.delete(id);
        reject(new Error(`${method}: no answer`));
      }, COMMAND_TIMEOUT_MS);
      const settleOnce = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer);
          settle(value);
        };
      };
      this.#pendingCommands.set(id, { resolve: settleOnce(resolve), reject: settleOnce(reject) });
    });
    this.#socket.send(JSON.stringify({ id, method, params }));
    return result;
  }

  #handleMessage(text: string): void {
    const { id, result, error, message } = JSON.parse(text) as {
      id?: number;
      result?: unknown;
      error?: string;
      message?: string;
    };
    // Messages without an id are events, which are ignored.
    const command = typeof id === 'number' ? this.#pendingCommands.get(id) : undefined;
    if (!command || id === undefined) return;
    this.#pendingCommands.delete(id);
    if (error === undefined) command.resolve(result);
    else command.reject(new Error(`${error}: ${message ?? ''}`));
  }

  #rejectPendingCommands(error: Error): void {
    for (const { reject } of this.#pendingCommands.values()) reject(error);
    this.#pendingCommands.clear();
  }
}

/** Reads the URL of the WebSocket, with the port that Firefox has chosen, from the log of Firefox. */
async function readSocketUrl(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('the standard error of Firefox is not a pipe');
  const lines = createInterface({ input: child.stderr });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Firefox did not start')), OPEN_TIMEOUT_MS);
    child.once('error', reject);
    child.once('exit', () => reject(new Error('Firefox has ended')));
    lines.on('line', (line) => {
      const url = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

const waitUntilOpen = (socket: WebSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('Firefox refused the connection')));
  });
