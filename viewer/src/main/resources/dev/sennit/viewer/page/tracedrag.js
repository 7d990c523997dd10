// Dragging with a pointer.

const LEAST = 4;

/**
 * Follows a pointer that was pressed, until it is let go: "moved" with each place once it is more than a click, then
 * "dropped" with the last, or "clicked". Coordinates are those of the window, kept inside of a box. Returns a function
 * that gives up, and says whether there was something to give up.
 */
export function followDrag(event, box, {moved, dropped, clicked, ended}) {
  const target = event.currentTarget;
  const start = {x: event.clientX, y: event.clientY};
  const inside = each => ({
    x: Math.min(Math.max(each.clientX, box.left), box.right),
    y: Math.min(Math.max(each.clientY, box.top), box.bottom),
  });
  let dragging = false;
  let over = false;
  const move = each => {
    dragging ||= Math.hypot(each.clientX - start.x, each.clientY - start.y) >= LEAST;
    if (dragging) {
      moved(start, inside(each));
    }
  };
  const end = () => {
    over = true;
    target.removeEventListener("pointermove", move);
    target.removeEventListener("pointerup", up);
    target.removeEventListener("pointercancel", end);
    ended?.();
  };
  const up = each => {
    end();
    dragging ? dropped(start, inside(each)) : clicked?.(each);
  };
  target.setPointerCapture(event.pointerId);
  target.addEventListener("pointermove", move);
  target.addEventListener("pointerup", up);
  target.addEventListener("pointercancel", end);
  return () => {
    const given = dragging && !over;
    if (given) {
      end();
    }
    return given;
  };
}

/** Puts an element over what lies between two places of the window. */
export function cover(element, a, b) {
  Object.assign(element.style, {
    left: `${Math.min(a.x, b.x)}px`,
    top: `${Math.min(a.y, b.y)}px`,
    width: `${Math.abs(a.x - b.x)}px`,
    height: `${Math.abs(a.y - b.y)}px`,
  });
}
