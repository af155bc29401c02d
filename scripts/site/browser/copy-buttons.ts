/** For how long a button says that it has copied. */
const SAID_MS = 2000;

/** Gives each block of code a button that copies it; of a block with commands and their output, the commands alone. */
export function addCopyButtons(page: Document): void {
  const status = page.createElement('div');
  status.className = 'hidden';
  status.setAttribute('role', 'status');
  page.body.append(status);
  for (const block of page.querySelectorAll<HTMLElement>('.block')) {
    const button = page.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      answer({ block, button, status }).catch((error: unknown) => {
        status.textContent = String(error);
      });
    });
    block.append(button);
  }
}

interface Pressed {
  readonly block: Element;
  readonly button: HTMLButtonElement;
  readonly status: HTMLElement;
}

async function answer({ block, button, status }: Pressed): Promise<void> {
  const said = (await copy(textOf(block))) ? 'Copied' : 'Not copied';
  button.textContent = said;
  status.textContent = said;
  setTimeout(() => {
    button.textContent = 'Copy';
    status.textContent = '';
  }, SAID_MS);
}

function textOf(block: Element): string {
  const typed = [...block.querySelectorAll('.typed')];
  const parts = typed.length > 0 ? typed : [...block.querySelectorAll('code')];
  return parts.map(({ textContent }) => textContent.replace(/\n$/, '')).join('\n');
}

/** Whether the text is on the clipboard now. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages that came over plain http from another machine have no clipboard of that kind.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const area = document.createElement('textarea');
  const focused = document.activeElement;
  area.value = text;
  area.className = 'hidden';
  document.body.append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else copies there
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
