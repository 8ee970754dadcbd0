/** Which tab sends an upload. A claim ends with its tab, however that ends. */
export interface UploadClaims {
  /**
   * Calls `onHeld` once this tab holds the upload: at once, or when the tab that holds it lets go.
   * @returns how to let go, or to stop waiting
   */
  claim(id: string, onHeld: () => void): () => void;
  isHeld(id: string): Promise<boolean>;
}

const nameOf = (id: string) => `headwater.upload.${id}`;

/** By the browser's locks; where it has none (plain http on another host) every tab thinks that it is alone. */
export function browserClaims(locks: LockManager | undefined): UploadClaims {
  return {
    claim(id, onHeld) {
      if (!locks) {
        onHeld();
        return () => undefined;
      }
      const ending = new AbortController();
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      locks
        .request(nameOf(id), { signal: ending.signal }, () => {
          onHeld();
          return held;
        })
        // It was no longer wanted before it came.
        .catch(() => undefined);
      return () => {
        ending.abort();
        letGo();
      };
    },
    async isHeld(id) {
      const { held = [] } = (await locks?.query()) ?? {};
      return held.some(({ name }) => name === nameOf(id));
    },
  };
}
