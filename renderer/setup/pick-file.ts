/** Lets somebody pick a file, and reads it. @returns its text; null: none was picked */
export function pickFile(accept: string): Promise<string | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  return new Promise((resolve) => {
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      if (file === undefined) resolve(null);
      else void file.text().then(resolve, () => resolve(null));
    });
    input.addEventListener('cancel', () => resolve(null));
    input.click();
  });
}
