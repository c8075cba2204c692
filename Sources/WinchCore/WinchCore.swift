public enum WinchCore {}
