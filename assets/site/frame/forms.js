/* Helps with long forms where scripts run: one step at a time, and what was typed is kept in this browser until it is sent; and
   with a quote, whose total follows what is ticked. Loaded before the page is drawn, so that nothing jumps. Without it the same form is one page. */
(() => {
  'use strict';
  const forget = document.currentScript?.dataset.forget;
  const kept = {
    read: (name) => { try { return JSON.parse(localStorage.getItem(`form-${name}`) ?? 'null'); } catch { return null; } },
    write: (name, value) => { try { localStorage.setItem(`form-${name}`, JSON.stringify(value)); } catch { /* a browser that keeps nothing */ } },
    forget: (name) => { try { localStorage.removeItem(`form-${name}`); } catch { /* the same */ } },
  };
  if (forget) {
    // What is told once is not told again by a reload, nor to whom the address is given.
    history.replaceState(null, '', location.pathname);
    return kept.forget(forget);
  }
  const root = document.documentElement;
  root.classList.add('scripted', 'unready');
  document.addEventListener('DOMContentLoaded', () => {
    const forms = [...document.querySelectorAll('form.steps')];
    try {
      forms.forEach(guide);
    } finally {
      root.classList.remove('unready');
    }
    document.querySelectorAll('form[data-totals]').forEach(addUp);
    // What cannot be seen yet cannot be focused either.
    forms.map((form) => form.querySelector('[autofocus]')).find(Boolean)?.focus();
  });

  // Says beside a field what is wrong with it, where a page that was sent back says it, too. Gives whether nothing is.
  function tell(field) {
    const fits = field.checkValidity();
    const id = `${field.name}-fault`;
    const hint = document.getElementById(`${field.id}-hint`)?.id;
    let told = document.getElementById(id);
    if (fits) {
      if (field.type !== 'radio') told?.remove();
      field.removeAttribute('aria-invalid');
      if (hint) field.setAttribute('aria-describedby', hint);
      else field.removeAttribute('aria-describedby');
      return true;
    }
    if (!told) {
      told = document.createElement('p');
      told.className = 'fault';
      told.id = id;
      field.after(told);
    }
    // The browser would say it in its own language, whatever that of the page is.
    const { missing, address } = field.form.dataset;
    const { valueMissing, typeMismatch } = field.validity;
    told.textContent = (valueMissing && missing) || (typeMismatch && address) || field.validationMessage;
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', hint ? `${hint} ${id}` : id);
    return false;
  }

  // Says at once what a quote adds up to with the lines that are ticked; the server counts.
  function addUp(form) {
    const lines = [...form.querySelectorAll('input[type="checkbox"]')];
    const recount = form.querySelector('[data-recount]');
    const korean = document.documentElement.lang === 'ko';
    const won = (sum) => (korean ? `${sum.toLocaleString('ko-KR')}원` : `₩${sum.toLocaleString('en-US')}`);
    let asked = 0;
    const ask = async () => {
      const mine = ++asked;
      const chosen = lines.filter((line) => line.checked).map((line) => line.value);
      try {
        const answer = await fetch(`${form.dataset.totals}?selected_items=${encodeURIComponent(chosen.join(','))}`);
        const totals = answer.ok ? await answer.json() : null;
        if (mine !== asked) return;
        if (recount) recount.hidden = totals !== null;
        for (const field of totals ? document.querySelectorAll('[data-total]') : []) {
          field.textContent = won(totals[field.dataset.total]);
        }
      } catch { if (recount) recount.hidden = false; }
    };
    lines.forEach((line) => line.addEventListener('change', ask));
    if (recount) recount.hidden = true;
    // A browser that goes back keeps what was ticked.
    if (lines.some((line) => line.checked)) ask();
  }

  function guide(form) {
    const steps = [...form.querySelectorAll(':scope > fieldset')];
    const progress = form.querySelector('.progress');
    const [back, next] = ['-1', '1'].map((way) => form.querySelector(`[data-step="${way}"]`));
    const send = form.querySelector('[type="submit"]');
    const name = form.dataset.keep;
    const fields = () => [...form.elements].filter((field) => field.name && field.type !== 'hidden' && !field.closest('.decoy'));
    let at = Math.max(0, steps.findIndex((step) => step.classList.contains('now')));

    const keep = () => {
      const typed = {};
      for (const field of fields()) {
        if (field.type !== 'radio' || field.checked) typed[field.name] = field.value;
      }
      kept.write(name, { at, typed });
    };
    const show = (step, moved) => {
      at = Math.min(Math.max(step, 0), steps.length - 1);
      steps.forEach((one, place) => one.classList.toggle('now', place === at));
      back.hidden = at === 0;
      next.hidden = at === steps.length - 1;
      send.hidden = at !== steps.length - 1;
      progress.textContent = progress.dataset.of.replace('%', at + 1);
      if (moved) {
        const legend = steps[at].querySelector('legend');
        legend.tabIndex = -1;
        legend.focus();
        form.scrollIntoView({ block: 'start' });
      }
    };
    const fits = (step) => {
      const wrong = [...step.querySelectorAll('input, textarea')].filter((field) => !tell(field));
      wrong[0]?.focus();
      return wrong.length === 0;
    };

    const before = 'sentBack' in form.dataset ? null : kept.read(name);
    for (const field of before ? fields() : []) {
      const value = before.typed?.[field.name];
      if (value === undefined) continue;
      if (field.type === 'radio') field.checked = field.value === value;
      else field.value = value;
    }
    show(before ? before.at : at, false);
    next.addEventListener('click', () => { if (fits(steps[at])) { show(at + 1, true); keep(); } });
    back.addEventListener('click', () => { show(at - 1, true); keep(); });
    form.addEventListener('input', keep);
    form.addEventListener('input', ({ target }) => { if (target.getAttribute('aria-invalid')) tell(target); });
    // The key of return in a field goes on to the next step, and sends only the last one.
    form.addEventListener('submit', (event) => {
      const wrong = steps.findIndex((step) => [...step.querySelectorAll('input, textarea')].some((field) => !field.checkValidity()));
      if (at < steps.length - 1) { event.preventDefault(); next.click(); }
      else if (wrong >= 0) { event.preventDefault(); show(wrong, false); fits(steps[wrong]); }
      else { form.querySelectorAll('button').forEach((button) => button.setAttribute('aria-disabled', 'true')); }
    });
    form.noValidate = true;
  }
})();
