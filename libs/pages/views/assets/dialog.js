/** Links to a confirmation page open the same form in a dialog: `data-dialog` names it. */
for (const link of document.querySelectorAll('a[data-dialog]')) {
  const dialog = document.getElementById(link.dataset.dialog);
  if (!(dialog instanceof HTMLDialogElement)) continue;
  link.setAttribute('role', 'button');
  link.setAttribute('aria-haspopup', 'dialog');
  link.addEventListener('click', (event) => {
    event.preventDefault();
    dialog.showModal();
  });
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    dialog.showModal();
  });
  // A click on the backdrop is one on the dialog itself.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/** Menus of the header close by Escape, and when the focus or a click goes elsewhere. */
for (const menu of document.querySelectorAll('details.menu')) {
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  document.addEventListener('click', (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener('focusout', (event) => {
    if (event.relatedTarget !== null && !menu.contains(event.relatedTarget)) menu.open = false;
  });
}
