/** Copy buttons: `data-copy` names the element whose text they copy. Without scripts they stay hidden. */
const SHOWN_MS = 2_000;

const said = document.createElement('p');
said.className = 'unseen';
said.setAttribute('role', 'status');
document.body.append(said);

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (source === null || navigator.clipboard === undefined) continue;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(source.textContent.trim()).then(
      () => true,
      () => false,
    );
    if (!copied) getSelection()?.selectAllChildren(source);
    button.textContent = copied ? 'Copied' : 'Selected';
    said.textContent = copied ? 'Copied to the clipboard.' : 'Selected. Copy it with your keyboard.';
    setTimeout(() => {
      button.textContent = label;
      said.textContent = '';
    }, SHOWN_MS);
  });
}
