/** Compares versions such as 1.2.3. */
export function isNewerVersion(version: string, than: string): boolean {
  const [numbers, others] = [version, than].map((one) => one.split('.').map(Number)) as [number[], number[]];
  const place = numbers.findIndex((number, index) => number !== others[index]);
  return place !== -1 && (numbers[place] ?? 0) > (others[place] ?? 0);
}
