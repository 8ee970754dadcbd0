/**
 * Sets the class `light` or `dark` of <html>: the choice of the dashboard (stored by next-themes as `theme`), or the
 * system theme, including its changes. Runs before the first paint as an inline script, so it must not refer to
 * anything outside itself.
 */
export function followTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const applyTheme = () => {
    let chosenTheme: string | null = null;
    try {
      chosenTheme = localStorage.getItem('theme');
    } catch {
      // Storage is blocked in this frame: the system theme applies.
    }
    const isDark = chosenTheme === 'dark' || (chosenTheme !== 'light' && system.matches);
    document.documentElement.classList.toggle('dark', isDark);
    document.documentElement.classList.toggle('light', !isDark);
  };
  applyTheme();
  system.addEventListener('change', applyTheme);
}
