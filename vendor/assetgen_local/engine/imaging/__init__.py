"""Pictures: of parametric models, and made from other pictures with numpy."""
