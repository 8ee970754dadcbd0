/**
 * Sets the class `light` or `dark` of <html>: as chosen in the dashboard (next-themes keeps it as `theme`), or as the
 * system has it, also when that changes. Runs before the first paint, as text inside the page: it must refer to nothing
 * outside itself.
 */
export function followTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    let chosenTheme: string | null = null;
    try {
      chosenTheme = localStorage.getItem('theme');
    } catch {
      // A frame without storage: as the system.
    }
    const dark = chosenTheme === 'dark' || (chosenTheme !== 'light' && system.matches);
    document.documentElement.classList.toggle('dark', dark);
    document.documentElement.classList.toggle('light', !dark);
  };
  show();
  system.addEventListener('change', show);
}
